import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { useLoadable } from './loadable.ts';
import { Sign } from './sign.tsx';

type AvatarProps = { name: string; src?: string | null; size?: 's' | 'm' | 'l' };

const tones = ['a', 'b', 'c', 'd'];

function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const initialWords = words.length > 1 ? [words[0], words.at(-1)] : words;
  return initialWords
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

function tone(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return tones[sum % tones.length] ?? 'a';
}

/** A person: a circle with a photo or initials. The name is next to it, so it is hidden from screen readers. */
export function Avatar({ name, src, size = 'm' }: AvatarProps) {
  const { url, onError } = useLoadable(src);
  const classes = ['av', size === 'm' ? '' : size, tone(name)].filter(Boolean).join(' ');
  return (
    <span className={classes} aria-hidden="true">
      {url ? <img src={url} alt="" loading="lazy" onError={onError} /> : initials(name)}
    </span>
  );
}

export function BusinessMark({
  src,
  category,
  size = 'm',
}: {
  src?: string | null;
  category: CategoryId;
  size?: 's' | 'm' | 'l';
}) {
  const { url, onError } = useLoadable(src);
  if (!url) return <Sign category={category} size={size} />;
  return (
    <span className={size === 'm' ? 'sign' : `sign ${size}`} aria-hidden="true">
      <img src={url} alt="" loading="lazy" onError={onError} />
    </span>
  );
}
