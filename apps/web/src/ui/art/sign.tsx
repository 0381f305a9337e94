import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

type Colour = 'clay' | 'moss' | 'sky' | 'straw' | '';

const signs: Record<CategoryId, { icon: IconName; colour: Colour }> = {
  hospitality: { icon: 'coffee', colour: 'clay' },
  retail: { icon: 'basket', colour: 'moss' },
  logistics: { icon: 'package', colour: 'straw' },
  delivery: { icon: 'bicycle', colour: 'sky' },
  events: { icon: 'ticket', colour: 'clay' },
  cleaning: { icon: 'broom', colour: 'sky' },
  trades: { icon: 'hammer', colour: 'straw' },
  construction: { icon: 'hard-hat', colour: 'straw' },
  gardening: { icon: 'leaf', colour: 'moss' },
  care: { icon: 'heart', colour: 'clay' },
  education: { icon: 'graduation-cap', colour: 'sky' },
  office: { icon: 'briefcase', colour: '' },
  technology: { icon: 'laptop', colour: 'sky' },
  creative: { icon: 'paint-brush', colour: 'straw' },
  beauty: { icon: 'scissors', colour: 'clay' },
  security: { icon: 'shield-check', colour: 'moss' },
};

export const categoryIcon = (category: CategoryId): IconName => signs[category].icon;

export function Sign({ category, size = 'm' }: { category: CategoryId; size?: 's' | 'm' | 'l' }) {
  const { icon, colour } = signs[category];
  return (
    <span className={['sign', size === 'm' ? '' : size, colour].filter(Boolean).join(' ')}>
      <Icon name={icon} />
    </span>
  );
}

export function IconSign({
  icon,
  colour = '',
  size = 'm',
  round,
}: {
  icon: IconName;
  colour?: Colour;
  size?: 's' | 'm' | 'l';
  round?: boolean;
}) {
  return (
    <span
      className={['sign', size === 'm' ? '' : size, colour, round ? 'round' : ''].filter(Boolean).join(' ')}
    >
      <Icon name={icon} />
    </span>
  );
}
