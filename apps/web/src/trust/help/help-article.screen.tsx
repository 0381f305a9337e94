import { useLingui } from '@lingui/react/macro';
import { useParams } from 'react-router';
import { side as sideSetting } from '../../lib/device/device-setting.ts';
import { useLinkFrom } from '../../lib/pages/link-from.ts';
import { useUser } from '../../lib/session.ts';
import { Card, ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { type ArticleHead, articlePath } from './article.ts';
import { ArticleBody } from './article-body.tsx';
import { useHelp } from './help.api.ts';
import { helpHome } from './help-home.tsx';
import { Helpful } from './helpful.tsx';
import './help.css';

export default function HelpArticleScreen() {
  const { t } = useLingui();
  const { slug = '' } = useParams();
  const user = useUser();
  const { query } = useLinkFrom();
  const { articleOf, bodyOf } = useHelp();
  const article = articleOf(slug);
  const home = helpHome(user);
  if (!article)
    return (
      <Screen title={t`Article not found`} heading={null} back={home} width="narrow">
        <div className="center-page">
          <EmptyState
            level="h1"
            art="error"
            title={t`Article not found`}
            actions={
              <ButtonLink kind="go" full to={home}>
                {t`Search the help`}
              </ButtonLink>
            }
          >
            <p>{t`It was renamed or removed.`}</p>
          </EmptyState>
        </div>
      </Screen>
    );
  const contact = `/tabs/menu/contact${query}`;
  return (
    <Screen title={article.title} back={home}>
      <article key={slug} className="help-reading">
        <ArticleBody blocks={bodyOf(slug)} />
        <Helpful article={slug} contact={contact} />
        <More article={article} />
        <p className="no-print">
          <ButtonLink kind="out" icon="envelope-simple" to={contact}>
            {t`Contact us`}
          </ButtonLink>
        </p>
      </article>
    </Screen>
  );
}

function More({ article }: { article: ArticleHead }) {
  const { t } = useLingui();
  const { articleOf, articlesFor } = useHelp();
  const side = article.side === 'both' ? sideSetting.get() : article.side;
  const slugs = new Set(articlesFor(side).map(({ slug }) => slug));
  const related = article.related.flatMap((slug) => (slugs.has(slug) ? (articleOf(slug) ?? []) : []));
  if (related.length === 0) return null;
  return (
    <section className="no-print">
      <h2 className="h-s help-head">{t`Related articles`}</h2>
      <Card flush>
        {related.map(({ slug, title }) => (
          <ListRow key={slug} title={title} to={articlePath(slug)} />
        ))}
      </Card>
    </section>
  );
}
