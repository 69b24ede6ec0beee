"""The least that an endpoint of this kind can do: validate a small body, check a token with one GET, one small append.

`python -m bench.bare PORT REDIS_URL` serves it as the API is served; `bench.moves` holds a real move against it.
"""

import sys
from typing import Any

from captain.web import WebServer
from tests.keys import KEYS

APPEND = """
local v = redis.call('HINCRBY', KEYS[1], 'v', 1)
redis.call('XADD', KEYS[2], v .. '-0', 'r', ARGV[1])
return v
"""
TOKEN = "bare:token"


def make(url: str) -> Any:
    """The application; all imports are in here, since the server patches sockets first."""
    import marshmallow
    from flask import Flask
    from flask_smorest import Api, Blueprint

    from eventstore import connect

    class Body(marshmallow.Schema):
        type = marshmallow.fields.String(required=True, validate=marshmallow.validate.Equal("pass"))
        decision = marshmallow.fields.String(required=True)

    class Answer(marshmallow.Schema):
        version = marshmallow.fields.Integer()

    app = Flask("bare")
    app.config |= {"API_TITLE": "bare", "API_VERSION": "1", "OPENAPI_VERSION": "3.1.0"}
    client = connect.appending(url)
    append = client.register_script(APPEND)
    pages = Blueprint("bare", __name__)

    @pages.route("/bare", methods=["POST"])
    @pages.arguments(Body)
    @pages.response(201, Answer)
    def bare(body: dict[str, Any]) -> dict[str, Any]:
        if client.get(TOKEN) is None:
            raise LookupError(TOKEN)
        return {"version": append(keys=["bare:{x}:m", "bare:{x}:e"], args=["r" * 350])}

    Api(app).register_blueprint(pages)
    return app


class BareServer(WebServer):
    """The same server as the API's, another application, which has no streams to end."""

    def load_config(self) -> None:
        self._options.pop("post_worker_init", None)
        super().load_config()

    def load(self) -> Any:
        return make(self._stores[0])


if __name__ == "__main__":
    port, redis_url = sys.argv[1:]
    BareServer(f"127.0.0.1:{port}", 2, redis_url, redis_url, False, KEYS).run()
