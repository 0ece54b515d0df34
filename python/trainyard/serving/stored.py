"""Answers that the server has kept: OpenAI's endpoints of stored chat completions, and the same for
text completions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import FastAPI, Query

from trainyard.serving.protocol import ApiError

if TYPE_CHECKING:
    from trainyard.serving.server import State
    from trainyard.serving.store import Store

KINDS = {"/v1/chat/completions": "chat.completion", "/v1/completions": "text_completion"}


def add_endpoints(app: FastAPI, state: State) -> None:
    """To list, read and delete."""
    for path, kind in KINDS.items():
        _add_kind(app, state, path, kind)


def _add_kind(app: FastAPI, state: State, path: str, kind: str) -> None:
    @app.get(path)
    async def page(
        limit: Annotated[int, Query(ge=1, le=100)] = 20,
        after: str | None = None,
        order: Literal["asc", "desc"] = "asc",
        model: str | None = None,
    ) -> Any:
        store = _store(state)
        asked = kind, limit, after, order == "desc", model
        found, has_more = await asyncio.to_thread(store.page, *asked)
        ends = {"first_id": found[0]["id"], "last_id": found[-1]["id"]} if found else {}
        return {"object": "list", "data": found, "has_more": has_more} | ends

    @app.get(f"{path}/{{name}}")
    async def one(name: str) -> Any:
        found = await asyncio.to_thread(_store(state).find, kind, name)
        if found is None:
            raise _missing(name)
        return found

    @app.delete(f"{path}/{{name}}")
    async def remove(name: str) -> Any:
        if not await asyncio.to_thread(_store(state).remove, kind, name):
            raise _missing(name)
        return {"object": f"{kind}.deleted", "id": name, "deleted": True}


def _store(state: State) -> Store:
    if state.store is None:
        raise ApiError(404, "this server keeps no answers; start it with --store FILE")
    return state.store


def _missing(name: str) -> ApiError:
    return ApiError(404, f"no answer {name} is kept", code="not_found")
