import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { analyse } from 'scslre';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** What ships, in folders. */
const shipped =
  '{core,adapters,background,messaging,stores,components,entrypoints,pwa,relay}/**/*.{ts,vue}';

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** The expressions that are written in a file, by the language's own parser. */
function expressionsIn(path: string): Expression[] {
  const text = readFileSync(join(root, path), 'utf8');
  const scripts = path.endsWith('.vue')
    ? [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gsu)].map(([, script = '']) => script)
    : [text];
  const found: Expression[] = [];
  for (const script of scripts) {
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
        found.push({ place: path, source, flags });
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, script, ts.ScriptTarget.Latest, true));
  }
  return found;
}

/** Expressions that are given short pieces alone, so that the square of their length is little: who cuts them. */
const bounded: Readonly<Record<string, string>> = {};

describe('every expression of what ships', () => {
  const all = globSync(shipped, { cwd: root }).flatMap(expressionsIn);

  it('is found', () => {
    expect(all.length).toBeGreaterThan(250);
  });

  it('takes steps in proportion to its text, whatever character is repeated in it', () => {
    const slow = all.flatMap(({ place, source, flags }) => {
      if (bounded[source] !== undefined) return [];
      const { reports } = analyse({ source, flags });
      return reports.map(({ type }) => `${place}: /${source}/${flags} (${type})`);
    });
    expect(slow).toEqual([]);
  });

  it('is excepted only where it is there', () => {
    const sources = new Set(all.map(({ source }) => source));
    expect(Object.keys(bounded).filter((source) => !sources.has(source))).toEqual([]);
  });
});
