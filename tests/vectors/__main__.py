"""`python -m tests.vectors` writes docs/fair-play-vectors.json anew."""

from tests.vectors.make import FILE, vectors

if __name__ == "__main__":
    made = vectors()
    FILE.write_bytes(made)
    print(f"{FILE.name}: {len(made)} bytes")
