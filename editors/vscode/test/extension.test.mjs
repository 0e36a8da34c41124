// Parts of the extension, with a stand-in for the editor: what the commands run and show, and that the manifest agrees with the grammars.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { games, program } from './server.mjs';

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** An editor in which `file` is open; it notes what is shown. */
function editor(file, path = program) {
  const noted = { errors: [], tasks: [], panels: [] };
  const document = { uri: { scheme: 'file', fsPath: file }, isDirty: false };
  const vscode = {
    Uri: { parse: (text) => ({ scheme: new URL(text).protocol.slice(0, -1), fsPath: fileURLToPath(text) }) },
    ViewColumn: { Beside: -2 },
    TaskScope: { Workspace: 2 },
    TaskPanelKind: { Dedicated: 2 },
    ProcessExecution: class { constructor(command, words, options) { Object.assign(this, { command, words, options }); } },
    Task: class { constructor(kind, scope, name, source, run) { Object.assign(this, { kind, name, run }); } },
    tasks: { executeTask: async (task) => noted.tasks.push(task) },
    commands: { executeCommand: async () => {} },
    env: { clipboard: { writeText: async () => {} } },
    workspace: {
      getConfiguration: () => ({ get: (name, otherwise) => (name === 'path' ? path : otherwise) }),
      openTextDocument: async (uri) => ({ ...document, uri }),
      onDidSaveTextDocument: () => ({ dispose() {} }),
    },
    window: {
      activeTextEditor: file && { document },
      showErrorMessage: async (text) => void noted.errors.push(text),
      createWebviewPanel: (kind, title, column, options) => {
        const panel = { title, options, webview: { html: '' }, reveal() {}, onDidDispose() {} };
        noted.panels.push(panel);
        return panel;
      },
    },
  };
  return { noted, vscode };
}

/** What a module of the extension exports, in that editor, and with these modules instead of others. */
function load(name, vscode, instead = {}) {
  const entryPoints = [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))];
  const given = { vscode, ...instead };
  const external = Object.keys(given);
  const built = buildSync({ entryPoints, bundle: true, platform: 'node', format: 'cjs', external, write: false });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', built.outputFiles[0].text)(
    module,
    module.exports,
    (wanted) => given[wanted] ?? require(wanted),
  );
  return module.exports;
}

/** An editor in which commands can be registered, and clients of the server that take their time; `servers` are those that are running. */
function host(path) {
  const { noted, vscode } = editor(`${games}rbg/ticTacToe.rbg`, path);
  const [servers, commands, most] = [new Set(), new Map(), { value: 0 }];
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20));
  class LanguageClient {
    async start() {
      servers.add(this);
      most.value = Math.max(most.value, servers.size);
      await wait();
    }

    async dispose() {
      await wait();
      servers.delete(this);
    }
  }
  vscode.commands.registerCommand = (name, action) => (commands.set(name, action), { dispose() {} });
  vscode.workspace.onDidChangeConfiguration = () => ({ dispose() {} });
  const extension = load('extension', vscode, { 'vscode-languageclient/node': { LanguageClient } });
  return { noted, vscode, servers, commands, most, extension };
}

test('there is never more than one server, however fast it is restarted', async () => {
  const { servers, commands, most, extension } = host();
  const active = extension.activate({ subscriptions: [] });
  const restart = commands.get('rgc.restart');
  await Promise.all([restart(), restart(), active, restart()]);
  assert.deepEqual([servers.size, most.value], [1, 1]);
  await Promise.all([restart(), extension.deactivate()]);
  assert.deepEqual([servers.size, most.value], [0, 1]);
});

test('the extension is there before anybody has answered that the program is missing', async () => {
  const { noted, vscode, servers, extension } = host('/nowhere/rgc');
  vscode.window.showErrorMessage = (text) => {
    noted.errors.push(text);
    return new Promise(() => {});
  };
  await extension.activate({ subscriptions: [] });
  assert.match(noted.errors[0], /cannot start `\/nowhere\/rgc`/);
  assert.equal(servers.size, 0);
});

test('a command runs the program in a terminal, whatever the file is called', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rgc '));
  const file = join(folder, "it's $HOME; a game.rbg");
  writeFileSync(file, readFileSync(`${games}rbg/ticTacToe.rbg`));
  const { noted, vscode } = editor(file);
  await load('terminal', vscode).runs((game) => ['perft', game, '2'])();
  assert.deepEqual(noted.errors, []);
  assert.deepEqual(noted.tasks[0].run.words, ['perft', file, '2']);
  assert.equal(noted.tasks[0].run.command, program);
});

test('a missing program is explained', async () => {
  const { noted, vscode } = editor(`${games}rbg/ticTacToe.rbg`, '/nowhere/rgc');
  await load('terminal', vscode).runs((game) => ['play', game])();
  assert.equal(noted.tasks.length, 0);
  assert.match(noted.errors[0], /cannot start `\/nowhere\/rgc`: there is no such program.*cargo install.*`rgc\.path`/);
});

test('the automaton is an image on a page where nothing runs', async () => {
  const { noted, vscode } = editor(undefined);
  await load('drawing', vscode).drawing()(new URL(`file://${games}rg/ticTacToe.rg`).href);
  const [{ options, webview }] = noted.panels;
  assert.equal(options.enableScripts, false);
  assert.match(webview.html, /http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"/);
  const picture = Buffer.from(webview.html.match(/base64,([^"]+)"/)[1], 'base64').toString();
  assert.match(picture, /<svg[^]*judge[^]*<\/svg>/);
});

test('what is wrong with a game is shown as text instead of its automaton', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'rgc-')), 'wrong.rg');
  writeFileSync(file, 'begin, end: x = <script>;\n');
  const { noted, vscode } = editor(file);
  await load('drawing', vscode).drawing()();
  const { html } = noted.panels[0].webview;
  assert.match(html, /error\[RG/);
  assert.ok(!html.includes('<script'), html);
});

test('languages have the extensions that the compiler knows, and files that exist', () => {
  assert.equal(manifest.contributes.languages.length, 5);
  for (const { id, extensions, configuration } of manifest.contributes.languages) {
    const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
    const grammar = manifest.contributes.grammars.find((grammar) => grammar.language === id);
    const { fileTypes, scopeName } = read(grammar.path);
    assert.deepEqual(extensions, fileTypes.map((type) => `.${type}`));
    assert.equal(scopeName, grammar.scopeName);
    const { wordPattern } = read(configuration);
    const pattern = new RegExp(wordPattern.pattern ?? wordPattern, `g${wordPattern.flags ?? ''}`);
    assert.ok('(cell 1)'.match(pattern).length > 0);
  }
});

test('the lock file names no host', () => {
  const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  assert.ok(!lock.includes('"resolved"'));
});
