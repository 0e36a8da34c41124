// Snippets: a game from a snippet is a game.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Client } from './server.mjs';

/** The text of a snippet, with the defaults of its stops. */
function filled(body) {
  const text = body.join('\n');
  const stops = new Map();
  for (const [, number, chosen, given] of text.matchAll(/(?<!\\)\$\{(\d+)(?:\|([^,|]*)[^}]*|:([^}]*))\}/g)) {
    stops.set(number, stops.get(number) ?? chosen ?? given);
  }
  const at = (number) => stops.get(number) ?? '';
  // A default may name another stop.
  const inner = (given) => given.replace(/(?<!\\)\$(\d+)/g, (_, number) => at(number));
  return text
    .replace(/(?<!\\)\$\{(\d+)[^}]*\}|(?<!\\)\$(\d+)/g, (_, a, b) => inner(at(a ?? b)))
    .replace(/\\\$/g, '$');
}

for (const language of ['rg', 'hrg', 'rbg', 'sbg', 'gdl']) {
  test(`the snippets of ${language} have names of their own, and the game has no errors`, async (t) => {
    const snippets = Object.values(JSON.parse(readFileSync(new URL(`../snippets/${language}.json`, import.meta.url), 'utf8')));
    const prefixes = snippets.map((snippet) => snippet.prefix);
    assert.equal(new Set(prefixes).size, prefixes.length);
    const game = snippets.find((snippet) => snippet.prefix === 'game');
    const client = new Client();
    await client.start(t);
    const uri = `file:///games/new.${language}`;
    const text = filled(game.body);
    await client.open(uri, language, text);
    const wrong = (await client.diagnostics(uri, 1)).filter((finding) => finding.severity <= 2);
    assert.deepEqual(wrong, [], text);
    assert.equal(await client.stop(), 0);
  });
}
