"""The server as pytest-lsp has it, which says the capabilities of VS Code and Neovim and checks answers against the specification."""

import asyncio
import json
import os
import warnings
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcRequestCancelled
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = Path(__file__).resolve().parents[2]
CASES = json.loads((ROOT / "editors/tests/cases.json").read_text())
PROGRAM = os.environ.get("RGC", "rgc")
EDITORS = ["visual-studio-code", "neovim", "emacs"]

warnings.filterwarnings("error", category=pytest_lsp.LspSpecificationWarning)


@pytest_lsp.fixture(params=EDITORS, config=ClientServerConfig(server_command=[PROGRAM, "lsp"]))
async def client(request, lsp_client: LanguageClient):
    capabilities = client_capabilities(request.param)
    lsp_client.offered = await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, root_uri=ROOT.as_uri())
    )
    yield
    await lsp_client.shutdown_session()


class Text:
    """A text that is open; columns are counted as the server said."""

    def __init__(self, client: LanguageClient, name: str, language: str, text: str):
        self.client, self.text, self.version = client, text, 1
        self.uri = f"file:///games/{name}"
        self.is_utf8 = client.offered.capabilities.position_encoding == lsp.PositionEncodingKind.Utf8
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(self.uri, language, self.version, text))
        )

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    def place(self, marked: str) -> lsp.Position:
        before, after = marked.split("|")
        return self.position(self.text.index(before + after) + len(before))

    def position(self, offset: int) -> lsp.Position:
        lines = self.text[:offset].split("\n")
        units = lines[-1].encode() if self.is_utf8 else lines[-1].encode("utf-16-le")[::2]
        return lsp.Position(len(lines) - 1, len(units))

    def at(self, marked: str) -> dict:
        return {"text_document": self.document, "position": self.place(marked)}

    def change(self, old: str, new: str) -> None:
        """Replaces a part of the text, as an edit."""
        start = self.text.index(old)
        span = lsp.Range(self.position(start), self.position(start + len(old)))
        self.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri),
                [lsp.TextDocumentContentChangePartial(range=span, text=new)],
            )
        )
        self.text = self.text.replace(old, new, 1)

    def edited(self, edits) -> str:
        """The text, which is ASCII, after edits."""
        assert self.text.isascii()
        starts = [0]
        for line in self.text.split("\n"):
            starts.append(starts[-1] + len(line) + 1)
        offset = lambda place: starts[place.line] + place.character
        text = self.text
        for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
            text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
        return text

    async def findings(self):
        """What is wrong with this version."""
        told = self.client.published.get(self.uri)
        while told is None or told.version != self.version:
            await asyncio.wait_for(self.client.news.wait(), 20)
            self.client.news.clear()
            told = self.client.published.get(self.uri)
        return told.diagnostics


def listen(client: LanguageClient) -> None:
    """Notes reports with their versions."""
    client.published, client.news = {}, asyncio.Event()
    note = client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def published(params: lsp.PublishDiagnosticsParams):
        client.published[params.uri] = params
        client.news.set()
        return note(params)

    client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = published


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["language"])
async def test_a_game_is_written(client: LanguageClient, case: dict):
    listen(client)
    game = (ROOT / "games" / case["game"]).read_text()
    text = Text(client, case["game"], case["language"], game)
    assert not await text.findings()

    hover = await client.text_document_hover_async(lsp.HoverParams(**text.at(case["hover"]["at"])))
    assert case["hover"]["has"] in hover.contents.value

    found = await client.text_document_definition_async(lsp.DefinitionParams(**text.at(case["definition"]["at"])))
    found = found if isinstance(found, list) else [found]
    assert len(found) == case["definition"].get("count", 1)
    first = found[0].range if isinstance(found[0], lsp.Location) else found[0].target_selection_range
    assert first.start == text.place(case["definition"]["to"])

    params = lsp.RenameParams(**text.at(case["rename"]["at"]), new_name=case["rename"]["to"])
    edit = await client.text_document_rename_async(params)
    edits = edit.changes[text.uri] if edit.changes else edit.document_changes[0].edits
    assert len(edits) == case["rename"]["edits"]
    assert not await Text(client, case["game"] + ".renamed", case["language"], text.edited(edits)).findings()

    offered = await client.text_document_completion_async(lsp.CompletionParams(**text.at(case["completion"]["at"])))
    labels = {item.label for item in (offered if isinstance(offered, list) else offered.items)}
    assert labels.issuperset(case["completion"]["has"])
    assert labels.isdisjoint(case["completion"]["not"])

    mistake = case["mistake"]
    text.change(mistake["replace"], mistake["by"])
    findings = [finding for finding in await text.findings() if finding.code.startswith(mistake["code"])]
    assert [finding.range.start for finding in findings][:1] == [text.place(mistake["at"])]
    text.change(mistake["by"], mistake["replace"])
    assert not await text.findings()

    text.change(case["unformatted"]["replace"], case["unformatted"]["by"])
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(text.document, options))
    assert text.edited(edits) == game


async def test_a_request_that_is_cancelled_is_answered(client: LanguageClient):
    listen(client)
    text = Text(client, "chess.rbg", "rbg", (ROOT / "games/rbg/chess.rbg").read_text())
    number = "a request"
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    asked = client.protocol.send_request_async(
        lsp.TEXT_DOCUMENT_FORMATTING, lsp.DocumentFormattingParams(text.document, options), msg_id=number
    )
    asked = asyncio.ensure_future(asked)
    await asyncio.sleep(0)
    client.cancel_request(lsp.CancelParams(number))
    try:
        answer = await asyncio.wait_for(asked, 20)
        assert not answer  # it was answered before; the text is formatted
    except JsonRpcRequestCancelled:
        pass
    assert not await text.findings()
