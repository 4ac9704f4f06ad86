import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { type Catalogue, textsOf } from '#core/text/index';
import { chromiumBuild } from '#scripts/running/extension';
import { root } from '#scripts/machine/processes';
import { pseudoCatalogue } from '#tests/support/pseudo-language';

/** Names the language whose place the pseudo-language takes in a copy of the build. */
export const pseudoPlace = 'de';

/** Matches a text of a translation; an empty one is shown in English. */
const literal = String.raw`(?:\`(?:[^\`\\]|\\.)*\`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`;
/** A list of texts, as a chunk of the build holds it: the minifier writes some as one text that is split. */
const listOfTexts = new RegExp(
  String.raw`\[${literal}(?:,${literal})*\]|${literal}\.split\(${literal}\)`,
  'gs',
);

/** Copies the built extension, and writes the pseudo-language over one of its languages. */
export async function copyInPseudoLanguage(folder: string): Promise<void> {
  await cp(chromiumBuild, folder, { recursive: true });
  const pseudo = await pseudoTexts();
  const replaced = new Set<string>();
  const chunks = join(folder, 'c');
  for (const chunk of await readdir(chunks)) {
    if (!chunk.startsWith(`${pseudoPlace}.`)) continue;
    const code = await readFile(join(chunks, chunk), 'utf8');
    const spoken = code.replaceAll(listOfTexts, (list) => {
      const texts = JSON.stringify(runInNewContext(list));
      replaced.add(texts);
      return pseudo.get(texts) ?? list;
    });
    await writeFile(join(chunks, chunk), spoken);
  }
  const missing = [...pseudo.keys()].filter((texts) => !replaced.has(texts));
  if (missing.length > 0)
    throw new Error(`The build holds no such texts: ${missing.join('\n').slice(0, 400)}`);
}

/** Returns the texts of each English catalogue in the pseudo-language, by those that they replace, both as JSON. */
async function pseudoTexts(): Promise<ReadonlyMap<string, string>> {
  const folder = join(root, 'locales');
  const read = async (language: string, file: string): Promise<Catalogue> =>
    JSON.parse(await readFile(join(folder, language, file), 'utf8')) as Catalogue;
  const files = await readdir(join(folder, 'en'));
  const names = files.filter((name) => !/^(?:browser|join|replies)\./.test(name));
  const pairs = names.map(async (name) => {
    const english = await read('en', name);
    const replaced = textsOf(english, await read(pseudoPlace, name));
    const pseudo = textsOf(english, pseudoCatalogue(english));
    return [JSON.stringify(replaced), JSON.stringify(pseudo)] as const;
  });
  return new Map(await Promise.all(pairs));
}
