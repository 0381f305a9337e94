import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Icon } from './art/icon.tsx';
import { Link } from './controls/link.tsx';

/**
 * Leads from a screen to the help article about it: `<HelpLink article="check-in">…`. The article's contact form then knows which page it
 * came from. A test holds the names against the articles (`build/help.test.ts`).
 */
export function HelpLink({ article, children }: { article: string; children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <Link
      className="link sm row g1 help-link"
      to={`/tabs/menu/help/${article}?from=${encodeURIComponent(pathname + search)}`}
    >
      <Icon name="question" />
      <span>{children}</span>
    </Link>
  );
}
