import { excerptPieces, markedPieces } from './found.rules.ts';

/** A text with the search match highlighted; as an `excerpt`, starting shortly before it. */
export function Marked({ text, sought, excerpt }: { text: string; sought: string; excerpt?: boolean }) {
  const pieces = excerpt ? excerptPieces(text, sought) : markedPieces(text, sought);
  return pieces.map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no identity but their place.
    piece.hit ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>,
  );
}
