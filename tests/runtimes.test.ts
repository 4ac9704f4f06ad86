import { dirname, join } from 'node:path';

import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** A file that is not on disk, compiled as if it stood in the program of a tsconfig. */
interface Probe {
  readonly config: string;
  readonly folder: string;
  readonly statements: readonly string[];
}

const read = new Map<string, ts.SourceFile | undefined>();

/** Reads a file once for all programs: most have the same libraries. */
function sourceFile(
  name: string,
  version: Parameters<ts.CompilerHost['getSourceFile']>[1],
  readFile: () => ts.SourceFile | undefined,
): ts.SourceFile | undefined {
  const key = JSON.stringify([name, version]);
  if (!read.has(key)) read.set(key, readFile());
  return read.get(key);
}

/** Returns the statements of the probe that do not compile. */
function failing({ config, folder, statements }: Probe): string[] {
  const file = join(root, config);
  const { config: json } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const parsed = ts.parseJsonConfigFileContent(json, ts.sys, dirname(file));
  const options = { ...parsed.options, incremental: false, noEmit: true };
  delete options.tsBuildInfoFile;
  const path = join(root, folder, 'runtime-probe.ts');
  const text = [...statements, 'export {};'].join('\n');
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === path || disk.fileExists(name),
    readFile: (name) => (name === path ? text : disk.readFile(name)),
    getSourceFile: (name, version, ...rest) =>
      name === path
        ? ts.createSourceFile(name, text, version)
        : sourceFile(name, version, () => disk.getSourceFile(name, version, ...rest)),
  };
  const program = ts.createProgram([...parsed.fileNames, path], options, host);
  const source = program.getSourceFile(path);
  if (source === undefined) throw new Error('The program left the probe out.');
  const lines = program
    .getSemanticDiagnostics(source)
    .map(({ start = 0 }) => source.getLineAndCharacterOfPosition(start).line);
  return [...new Set(lines)].toSorted((a, b) => a - b).flatMap((line) => statements[line] ?? []);
}

const dom = ['document.title;', 'window.name;', 'new XMLSerializer();'];
const node = ["Buffer.from('');", 'process.argv;', "import 'node:fs';"];
const worker = ['new WorkerGlobalScope();'];
const extension = ["import { browser } from 'wxt/browser'; void browser.runtime.id;"];
const everywhere = ["new TextEncoder().encode('');", 'crypto.subtle;', "new URL('https://a');"];
const network = ["void fetch('/');", 'performance.now();'];

describe('the compiler keeps runtimes apart', () => {
  test.each([
    {
      config: 'core/tsconfig.json',
      folder: 'core',
      may: everywhere,
      mayNot: [...dom, ...node, ...network, ...worker, 'navigator.onLine;', 'localStorage.length;'],
    },
    {
      config: 'background/tsconfig.json',
      folder: 'background',
      may: [...everywhere, ...network, ...worker, ...extension, 'navigator.locks;'],
      mayNot: [...dom, ...node, 'localStorage.length;'],
    },
    {
      config: 'background/tsconfig.json',
      folder: 'messaging',
      may: [...everywhere, ...network],
      mayNot: [...dom, ...node],
    },
    {
      config: 'adapters/verify-worker/tsconfig.json',
      folder: 'adapters/verify-worker',
      may: [...everywhere, ...worker, 'postMessage(1);'],
      mayNot: [...dom, ...node, 'localStorage.length;'],
    },
    {
      config: 'entrypoints/ticket/tsconfig.json',
      folder: 'components/chips',
      may: [...everywhere, ...dom],
      mayNot: [...node, ...worker],
    },
    {
      config: 'components/tsconfig.json',
      folder: 'components',
      may: [...everywhere, ...dom, ...network, 'localStorage.length;'],
      mayNot: [...node, ...worker],
    },
    {
      config: 'sandbox/tsconfig.json',
      folder: 'sandbox',
      may: [...everywhere, ...network, ...node],
      mayNot: dom,
    },
    {
      config: 'relay/tsconfig.json',
      folder: 'relay',
      may: [...everywhere, ...network, ...node],
      mayNot: dom,
    },
    {
      config: 'pwa/worker/tsconfig.json',
      folder: 'pwa/worker',
      may: [...everywhere, ...network, ...worker, 'caches.keys();'],
      mayNot: [...dom, ...node],
    },
  ])('$folder, by $config', ({ config, folder, may, mayNot }) => {
    expect(failing({ config, folder, statements: [...may, ...mayNot] })).toEqual(mayNot);
  });
});
