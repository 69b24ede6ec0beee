"""Captain's Orders, 4 to 8 seats: give orders, pass cards, find the Captain before the hands are shown."""

from domain.captains_orders.rules import CAPTAINS_ORDERS

__all__ = ["CAPTAINS_ORDERS"]
