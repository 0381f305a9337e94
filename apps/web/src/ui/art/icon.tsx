import sprite from '../../generated/icons.svg?url';
import type { IconName } from './icon-names.ts';

type IconProps = {
  name: IconName;
  /** The name of a standalone icon; next to text it would be redundant. */
  label?: string;
  /** Arrows and carets are mirrored in right-to-left text. */
  flip?: boolean;
  className?: string;
};

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
