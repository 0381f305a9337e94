import { useSettings } from '../../lib/settings.ts';
import { Link } from '../../ui/controls/link.tsx';
import type { Block, Inline } from './article.ts';
import { helpFacts } from './help-facts.ts';

/** The text of an article, with the numbers of this server. */
export function ArticleBody({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="article">
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place.
        <Part key={place} block={block} />
      ))}
    </div>
  );
}

function Part({ block }: { block: Block }) {
  if ('items' in block) {
    const List = block.kind === 'steps' ? 'ol' : 'ul';
    return (
      <List>
        {block.items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={place}>
            <Words content={item} />
          </li>
        ))}
      </List>
    );
  }
  const Tag = block.kind === 'heading' ? 'h2' : 'p';
  return (
    <Tag className={block.kind === 'heading' ? 'h-m' : undefined}>
      <Words content={block.content} />
    </Tag>
  );
}

function Words({ content }: { content: readonly Inline[] }) {
  const settings = useSettings();
  return content.map((part, place) => {
    const key = `${place}`;
    if (typeof part === 'string') return part;
    if (part.kind === 'label') return <strong key={key}>{part.text}</strong>;
    if (part.kind === 'link')
      return (
        <Link key={key} to={part.to}>
          {part.text}
        </Link>
      );
    return (
      <span key={key} className="num">
        {(helpFacts as Record<string, (typeof helpFacts)['offer']>)[part.name]?.(settings)}
      </span>
    );
  });
}
