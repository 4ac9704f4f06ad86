import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';
import { parser } from 'typescript-eslint';
import * as vue from 'vue-eslint-parser';

import { root } from '#scripts/machine/processes';

interface Options {
  readonly filePath?: string;
  readonly projectService?: boolean;
  readonly programs?: readonly ts.Program[];
}

/** The parser as it is: the types of typescript-eslint name the part that ESLint's own types know. */
interface Parser {
  readonly meta: object;
  readonly parseForESLint: (code: string, options: Options) => unknown;
}
const { meta, parseForESLint: parse } = parser as unknown as Parser;

/** Returns the script of a component as the parser of components passes it on. */
function scriptOf(path: string): string {
  let script = '';
  const parseForESLint = (code: string, { projectService, ...options }: Options): unknown => {
    if (projectService === true) script = code;
    return parse(code, options);
  };
  const options = { filePath: path, parser: { parseForESLint }, projectService: true };
  vue.parseForESLint(readFileSync(path, 'utf8'), options);
  return script;
}

/** Compiles the pages, and with them the scripts of all components. */
function compile(): ts.Program {
  const path = join(root, 'components/tsconfig.json');
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name)) as {
    config: unknown;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path), {
    incremental: false,
    allowNonTsExtensions: true,
  });
  const components = globSync(join(root, '{components,entrypoints,pwa}/**/*.vue'));
  const host = ts.createCompilerHost(options, true);
  const disk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version, ...rest) =>
    name.endsWith('.vue')
      ? ts.createSourceFile(name, scriptOf(name), version, true, ts.ScriptKind.TS)
      : disk(name, version, ...rest);
  return ts.createProgram([...fileNames, ...components], options, host);
}

let program: ts.Program | undefined;

/**
 * Parses scripts of components with the types of one program. TypeScript's parser makes a program anew for each, since
 * a script is not what lies on the disk; it still does for a component that an editor or `--fix` has changed.
 */
export const componentScripts = {
  meta,
  parseForESLint: (code: string, given: Options): unknown => {
    const { projectService, ...options } = given;
    if (projectService !== true) return parse(code, options);
    program ??= compile();
    const isCompiled = program.getSourceFile(options.filePath ?? '')?.text === code;
    return parse(code, isCompiled ? { ...options, programs: [program] } : given);
  },
};
