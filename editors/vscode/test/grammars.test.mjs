// The grammars, compared with what the server says of each token, in all bundled games.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Client, games, gamesOf, program } from './server.mjs';

const require = createRequire(import.meta.url);
const textmate = require('vscode-textmate');
const oniguruma = require('vscode-oniguruma');

const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer;
const registry = new textmate.Registry({
  onigLib: oniguruma.loadWASM(wasm).then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  })),
  loadGrammar: async (scope) => {
    const file = new URL(`../syntaxes/${scope.replace('source.', '')}.tmLanguage.json`, import.meta.url);
    return textmate.parseRawGrammar(readFileSync(file, 'utf8'), file.pathname);
  },
});

const KINDS = [
  ['comment', /^comment\./],
  ['number', /^constant\.numeric\./],
  ['operator', /^keyword\.operator\./],
  ['keyword', /^keyword\./],
];

/** What the grammar says of each character that is no space. */
function byGrammar(grammar, lines) {
  let state = textmate.INITIAL;
  return lines.map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    const said = Array(line.length).fill('');
    for (const { startIndex, endIndex, scopes } of tokens) {
      const kind = KINDS.find(([, scope]) => scopes.some((name) => scope.test(name)))?.[0] ?? 'name';
      said.fill(kind, startIndex, Math.min(endIndex, line.length));
    }
    return said;
  });
}

/** What the server says of each character that is no space: one of the kinds above, or that it is a name. */
function byServer(lines, { data }, types) {
  const said = lines.map((line) => Array(line.length).fill(''));
  let [line, column] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down, right, length, type] = data.slice(at, at + 4);
    column = down === 0 ? column + right : right;
    line += down;
    const kind = KINDS.some(([kind]) => kind === types[type]) ? types[type] : 'name';
    said[line].fill(kind, column, column + length);
  }
  return said;
}

/** The games of a language in all its syntaxes. */
function texts(language) {
  const written = gamesOf(language);
  const other = (name, to) => execFileSync(program, ['translate', `${games}gdl/${name}`, '--to', to], { encoding: 'utf8' });
  const syntaxes = language === 'gdl' ? ['gdl-infix', 'gdl-prolog'] : [];
  return [...written, ...syntaxes.flatMap((to) => written.map(({ name }) => ({ name: `${to} ${name}`, text: other(name, to) })))];
}

for (const language of ['rg', 'hrg', 'rbg', 'sbg', 'gdl']) {
  test(`the grammar of ${language} says what the server says`, async (t) => {
    const grammar = await registry.loadGrammar(`source.${language}`);
    const client = new Client();
    const offered = await client.start(t);
    const types = offered.semanticTokensProvider.legend.tokenTypes;
    const counts = new Map();
    for (const { name, text } of texts(language)) {
      const uri = `file:///games/${encodeURIComponent(name)}`;
      await client.open(uri, language, text);
      const lines = text.split(/\r?\n/);
      const server = byServer(lines, await client.ask('semanticTokens/full', uri), types);
      const said = byGrammar(grammar, lines);
      lines.forEach((line, row) => {
        for (let column = 0; column < line.length; column++) {
          const [seen, known] = [said[row][column], server[row][column]];
          if (/\s/.test(line[column]) || seen === known) {
            counts.set(seen, (counts.get(seen) ?? 0) + 1);
            continue;
          }
          // Words of digits that are names of values look like numbers all the same; the server says nothing of some names.
          const digits = seen === 'number' && known === 'name' && /[-0-9]/.test(line[column]);
          const unknown = seen === 'name' && known === '';
          assert.ok(digits || unknown, `${name}:${row + 1}:${column + 1}: ${seen}, but ${known || 'nothing'}: ${line}`);
        }
      });
    }
    const least = language === 'sbg' ? ['comment', 'number', 'keyword', 'operator'] : ['comment', 'keyword', 'operator'];
    least.forEach((kind) => assert.ok(counts.get(kind) > 100, `${kind}: ${counts.get(kind)}`));
    assert.equal(await client.stop(), 0);
  });
}
