// The shape of WXT's entry functions, for the programs of the worker and the ticket script: WXT's own types pull in
// Vite's, and with them every global of Node.

interface BackgroundDefinition {
  main(): void;
}

export declare function defineBackground(definition: BackgroundDefinition): BackgroundDefinition;

export declare function defineUnlistedScript(main: () => void): () => void;
