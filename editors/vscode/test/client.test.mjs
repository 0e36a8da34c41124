// The server as a client in JavaScript has it: every feature in every language.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Client, edited, games, offsetOf, position } from './server.mjs';

const cases = JSON.parse(readFileSync(new URL('../../tests/cases.json', import.meta.url), 'utf8'));
const options = { tabSize: 2, insertSpaces: true };

for (const one of cases) {
  test(`a game in ${one.language} is written`, async (t) => {
    const client = new Client();
    await client.start(t);
    const text = readFileSync(games + one.game, 'utf8');
    const uri = `file:///games/${one.game}`;
    const at = (marked, of = text) => ({ position: position(of, offsetOf(of, marked)) });
    await client.open(uri, one.language, text);
    assert.deepEqual(await client.diagnostics(uri, 1), []);

    const hover = await client.ask('hover', uri, at(one.hover.at));
    assert.ok(hover.contents.value.includes(one.hover.has), hover.contents.value);
    const definition = [await client.ask('definition', uri, at(one.definition.at))].flat();
    assert.equal(definition.length, one.definition.count ?? 1);
    const start = (definition[0].range ?? definition[0].targetSelectionRange).start;
    assert.deepEqual(start, at(one.definition.to).position);

    const rename = await client.ask('rename', uri, { ...at(one.rename.at), newName: one.rename.to });
    const edits = rename.changes?.[uri] ?? rename.documentChanges[0].edits;
    assert.equal(edits.length, one.rename.edits);
    const renamed = edited(text, edits);
    await client.open(uri + '.renamed', one.language, renamed);
    assert.deepEqual(await client.diagnostics(uri + '.renamed', 1), []);

    const offered = await client.ask('completion', uri, at(one.completion.at));
    const labels = (offered.items ?? offered).map((item) => item.label);
    one.completion.has.forEach((label) => assert.ok(labels.includes(label), `${label} in ${labels}`));
    one.completion.not.forEach((label) => assert.ok(!labels.includes(label), `${label} in ${labels}`));

    // A mistake, as an edit of a part of the text, and back.
    const { replace, by, code, at: wrong } = one.mistake;
    const range = (of, part) => ({ start: position(of, of.indexOf(part)), end: position(of, of.indexOf(part) + part.length) });
    await client.change(uri, 2, [{ range: range(text, replace), text: by }]);
    const broken = text.replace(replace, () => by);
    const found = await client.diagnostics(uri, 2);
    const finding = found.find((finding) => finding.code.startsWith(code));
    assert.ok(finding, JSON.stringify(found));
    assert.deepEqual(finding.range.start, at(wrong, broken).position);
    assert.equal(finding.severity, one.mistake.severity ?? 1);
    await client.change(uri, 3, [{ range: range(broken, by), text: replace }]);
    assert.deepEqual(await client.diagnostics(uri, 3), []);

    assert.deepEqual((await client.ask('formatting', uri, { options })) ?? [], []);
    const ugly = text.replace(one.unformatted.replace, () => one.unformatted.by);
    await client.change(uri, 4, [{ text: ugly }]);
    assert.equal(edited(ugly, await client.ask('formatting', uri, { options })), text);
    assert.equal(await client.stop(), 0);
  });
}

for (const units of ['utf-16', 'utf-8']) {
  test(`places behind letters of several bytes are counted in ${units}`, async (t) => {
    const client = new Client();
    const offered = await client.start(t, { general: { positionEncodings: [units] } });
    assert.equal(offered.positionEncoding, units);
    const uri = 'file:///games/letters.rbg';
    const line = '/* é 😀 */ #rules = ->a {nothing}';
    await client.open(uri, 'rbg', `#players = a(1)\n#pieces = e\n#variables =\n#board = rectangle(u, d, l, r, [e])\n${line}\n`);
    const found = await client.diagnostics(uri, 1);
    const before = line.slice(0, line.indexOf('nothing'));
    const character = units === 'utf-8' ? Buffer.byteLength(before) : before.length;
    const finding = found.find((finding) => finding.code === 'RBG131');
    assert.deepEqual(finding?.range.start, { line: 4, character }, JSON.stringify(found));
    // An edit behind them.
    const range = { start: { line: 4, character }, end: { line: 4, character: character + 7 } };
    await client.change(uri, 2, [{ range, text: 'e' }]);
    const mended = await client.diagnostics(uri, 2);
    assert.ok(!mended.some((finding) => finding.code === 'RBG131'), JSON.stringify(mended));
    assert.equal(await client.stop(), 0);
  });
}

test('requests in a burst are all answered, in order', async (t) => {
  const client = new Client();
  await client.start(t);
  const text = readFileSync(`${games}rbg/chess.rbg`, 'utf8');
  const uri = 'file:///games/chess.rbg';
  await client.open(uri, 'rbg', text);
  const done = [];
  const asked = Array.from({ length: 50 }, (_, number) =>
    client.ask('hover', uri, { position: { line: number, character: 1 } }).then(() => done.push(number)),
  );
  await Promise.all(asked);
  assert.deepEqual(done, Array.from({ length: 50 }, (_, number) => number));
  assert.equal(await client.stop(), 0);
});

test('lenses have commands that the extension has', async (t) => {
  const client = new Client();
  const offered = await client.start(t);
  assert.ok(offered.codeLensProvider !== undefined);
  const uri = 'file:///games/ticTacToe.rbg';
  await client.open(uri, 'rbg', readFileSync(`${games}rbg/ticTacToe.rbg`, 'utf8'));
  const lenses = await client.ask('codeLens', uri);
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const known = manifest.contributes.commands.map(({ command }) => command);
  assert.ok(lenses.length >= 4, JSON.stringify(lenses));
  for (const { command } of lenses) {
    assert.ok(known.includes(command.command), command.command);
    assert.deepEqual(command.arguments, [uri]);
  }
  assert.equal(await client.stop(), 0);
});
