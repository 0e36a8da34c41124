// `rgc lsp` as a client of `vscode-jsonrpc` has it, and the games that tests open.

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import rpc from 'vscode-jsonrpc/node';

export const program = process.env.RGC ?? 'rgc';
export const games = fileURLToPath(new URL('../../../games/', import.meta.url));

/** The bundled games of a language: name, text. */
export function gamesOf(language) {
  const folder = `${games}${language}/`;
  return readdirSync(folder).map((name) => ({ name, text: readFileSync(folder + name, 'utf8') }));
}

/** The place that `|` marks in a part of a text, as an offset. */
export function offsetOf(text, marked) {
  const [before, after] = marked.split('|');
  const at = text.indexOf(before + after);
  if (at < 0) {
    throw new Error(`${marked} is not in the text`);
  }
  return at + before.length;
}

/** A place as the protocol has it, in UTF-16. */
export function position(text, offset) {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1).length };
}

/** The text after edits. `units` is how columns are counted. */
export function edited(text, edits, units = 'utf-16') {
  const lines = text.split('\n');
  const offset = ({ line, character }) => {
    const start = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
    const column = units === 'utf-8' ? Buffer.from(lines[line] ?? '').subarray(0, character).toString().length : character;
    return start + column;
  };
  const sorted = edits.map((edit) => ({ start: offset(edit.range.start), end: offset(edit.range.end), text: edit.newText }));
  sorted.sort((a, b) => b.start - a.start);
  return sorted.reduce((made, edit) => made.slice(0, edit.start) + edit.text + made.slice(edit.end), text);
}

/** A client with a server of its own. */
export class Client {
  #process;
  #told = new Map();
  #waiting = [];

  /** Starts the server; it is ended with the test in any case. */
  async start(test, capabilities = {}) {
    this.#process = spawn(program, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    test.after(() => this.#process.kill());
    this.connection = rpc.createMessageConnection(
      new rpc.StreamMessageReader(this.#process.stdout),
      new rpc.StreamMessageWriter(this.#process.stdin),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (told) => {
      this.#told.set(`${told.uri} ${told.version}`, told.diagnostics);
      this.#waiting.forEach((look) => look());
    });
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.listen();
    const options = { commands: true };
    const params = { processId: process.pid, rootUri: null, capabilities, initializationOptions: options };
    const { capabilities: offered } = await this.connection.sendRequest('initialize', params);
    await this.connection.sendNotification('initialized', {});
    return offered;
  }

  open(uri, languageId, text, version = 1) {
    return this.connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
  }

  change(uri, version, contentChanges) {
    return this.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  }

  /** What is wrong with a version of a text, in the last report that has come. */
  diagnostics(uri, version) {
    const key = `${uri} ${version}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no findings for ${key}`)), 20_000);
      const look = () => {
        if (this.#told.has(key)) {
          clearTimeout(timer);
          this.#waiting = this.#waiting.filter((other) => other !== look);
          resolve(this.#told.get(key));
        }
      };
      this.#waiting.push(look);
      look();
    });
  }

  ask(method, uri, rest = {}) {
    return this.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...rest });
  }

  /** The exit code of the server. */
  async stop() {
    const done = new Promise((resolve) => this.#process.once('exit', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await done;
    this.connection.dispose();
    return code;
  }
}
