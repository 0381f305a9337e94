import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Icon } from './art/icon.tsx';
import { Link } from './controls/link.tsx';

/** Links to a help article. A test checks the names against the articles (`build/help.test.ts`). */
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
