/** What the part of the playground's address after `#` refers to; browsers do not send that part. */
export type Linked =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'example'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable' };

async function through(
  bytes: string | Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Bytes as letters that need no escaping in an address. */
function letters(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The part of an address that refers to an example. */
export function exampleLink(name: string): string {
  return `#example=${encodeURIComponent(name)}`;
}

/** The part of an address that contains a text. */
export async function textLink(text: string): Promise<string> {
  return `#text=${letters(await through(text, new CompressionStream('deflate-raw')))}`;
}

/** Reads what an address refers to. */
export async function linked(hash: string): Promise<Linked> {
  const [, kind, value = ''] = /^#(example|text)=(.*)$/s.exec(hash) ?? [];
  if (kind === undefined) return { kind: 'nothing' };
  try {
    if (kind === 'example') return { kind, name: decodeURIComponent(value) };
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream('deflate-raw'));
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(text) };
  } catch {
    return { kind: 'unreadable' };
  }
}
