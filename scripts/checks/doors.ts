/** What of the files that git tracks is the product, with what is built and tried beside it. */
export const product =
  /^(?:adapters|background|bench|components|core|entrypoints|messaging|pwa|relay|sandbox|scripts|stores)\/.*\.(?:ts|vue|css|mjs|js|html|sql)$/;

/** A room is a folder with a README and an `index.ts`. */
export interface Room {
  readonly folder: string;
  /** The names that the product imports of it from outside. */
  readonly names: ReadonlySet<string>;
  /** The files that it is entered by. */
  readonly doors: ReadonlySet<string>;
}

/** @param files the texts of files, by their paths from the project's root */
export function countDoors(files: ReadonlyMap<string, string>): Room[] {
  const sources = [...files].filter(([name]) => product.test(name));
  const imports = sources.flatMap(([name, text]) =>
    Array.from(
      text.matchAll(/^import (?:type )?\{([^}]*)\} from '#([^']+)';$/gm),
      ([, names = '', from = '']) => ({
        name,
        names: names.split(',').map((one) => one.trim().replace(/^type | as .*$/g, '')),
        from,
      }),
    ),
  );
  return sources
    .map(([name]) => name)
    .filter((name) => name.endsWith('/index.ts'))
    .map((name) => name.slice(0, -'/index.ts'.length))
    .filter((folder) => files.has(`${folder}/README.md`))
    .map((folder) => {
      const entering = imports.filter(
        ({ name, from }) => from.startsWith(`${folder}/`) && !name.startsWith(`${folder}/`),
      );
      return {
        folder,
        names: new Set(entering.flatMap((one) => one.names).filter((one) => one !== '')),
        doors: new Set(entering.map(({ from }) => from)),
      };
    });
}
