"""Settings: asked for by `workspace/configuration` (each folder's own), or pushed by `didChangeConfiguration`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from .. import settings
from ..server import Server

log = logging.getLogger(__name__)

SECTION = "secondpass"


async def ask(ls: Server) -> None:
    """Ask the client, where it answers, and be told of changes."""
    if ls.session.client.register_configuration:
        await register_for_changes(ls)
    await refresh(ls)


async def register_for_changes(ls: Server) -> None:
    registration = lsp.Registration(
        "secondpass-configuration",
        lsp.WORKSPACE_DID_CHANGE_CONFIGURATION,
        lsp.DidChangeConfigurationRegistrationOptions(section=SECTION),
    )
    try:
        await ls.client_register_capability_async(lsp.RegistrationParams([registration]))
    except JsonRpcException as error:
        log.info("the client keeps its configuration's changes to itself (%s)", error)


async def refresh(ls: Server) -> None:
    """Take the client's settings as they are now; check everything again if they differ."""
    session = ls.session
    if not session.client.configuration:
        return
    scopes: list[str | None] = [None, *session.folders]
    items = [lsp.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in scopes]
    try:
        values = await ls.workspace_configuration_async(lsp.ConfigurationParams(items))
    except JsonRpcException as error:
        log.info("the client gave no configuration (%s)", error)
        return
    if not isinstance(values, Sequence) or len(values) != len(scopes):
        return
    found = [settings.read(plain(value)) if value else session.settings for value in values]
    take(ls, found[0], dict(zip(session.folders, found[1:], strict=True)))


def pushed(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    """Clients that can be asked are asked; the others send the whole tree, or our part of it."""
    if ls.session.client.configuration:
        ls.spawn(refresh(ls))
        return
    value = plain(params.settings)
    if isinstance(value, Mapping):
        take(ls, settings.read(value.get(SECTION, value)), {})


def take(ls: Server, everywhere: settings.Settings, folders: dict[str, settings.Settings]) -> None:
    session = ls.session
    if (everywhere, folders) == (session.settings, session.folder_settings):
        return
    told = {complaint for one in (session.settings, *session.folder_settings.values()) for complaint in one.complaints}
    session.settings, session.folder_settings = everywhere, folders
    for complaint in sorted({c for one in (everywhere, *folders.values()) for c in one.complaints} - told):
        log.warning("%s", complaint)
    session.recheck()


def plain(value: Any) -> Any:
    """Plain dictionaries from the objects that pygls makes of a free-form value."""
    if hasattr(value, "_asdict"):
        return {key: plain(each) for key, each in value._asdict().items()}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def register(ls: Server) -> None:
    ls.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(pushed)
