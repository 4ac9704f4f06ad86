/** The web-standard globals that `core` may use; every runtime has them. Nothing here belongs to the DOM. */

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

declare class URL {
  constructor(url: string, base?: string | URL);
  static canParse(url: string, base?: string): boolean;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly searchParams: URLSearchParams;
  readonly hash: string;
  readonly href: string;
}

declare class URLSearchParams {
  constructor(init?: string | Record<string, string> | [string, string][]);
  append(name: string, value: string): void;
  set(name: string, value: string): void;
  get(name: string): string | null;
  has(name: string): boolean;
  toString(): string;
}

/** Only for `core/encoding/base64.ts`. */
declare function atob(text: string): string;
declare function btoa(binary: string): string;

/** The part of WebCrypto that `core/keys` uses. Absent outside secure contexts. */
interface CryptoKey {
  readonly type: string;
}

interface SubtleCrypto {
  importKey(
    format: 'raw',
    key: Uint8Array<ArrayBuffer>,
    algorithm: { name: string },
    extractable: boolean,
    usages: 'verify'[],
  ): Promise<CryptoKey>;
  verify(
    algorithm: { name: string },
    key: CryptoKey,
    signature: Uint8Array<ArrayBuffer>,
    message: Uint8Array<ArrayBuffer>,
  ): Promise<boolean>;
}

declare const crypto: {
  readonly subtle?: SubtleCrypto;
  getRandomValues(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
};

/** Only for `core/time/delay.ts`. */
declare function setTimeout(callback: () => void, milliseconds: number): number;
declare function clearTimeout(timer: number): void;

interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
