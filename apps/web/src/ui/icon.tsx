import sprite from '../generated/icons.svg?url';
import type { IconName } from './icon-names.ts';

type IconProps = {
  name: IconName;
  /** Set it only where the icon stands alone; beside a word it says nothing new. */
  label?: string;
  /** Arrows and carets turn round in right-to-left text. */
  flip?: boolean;
  className?: string;
};

/** One icon of the sprite, as large as one and a half times the text around it. */
export function Icon({ name, label, flip = false, className = '' }: IconProps) {
  const classes = `i${flip ? ' flip' : ''} ${className}`.trim();
  const use = <use href={`${sprite}#${name}`} />;
  return label ? (
    <svg className={classes} viewBox="0 0 256 256" role="img" aria-label={label}>
      {use}
    </svg>
  ) : (
    <svg className={classes} viewBox="0 0 256 256" aria-hidden="true">
      {use}
    </svg>
  );
}
