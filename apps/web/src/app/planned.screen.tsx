import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router';
import { useUser } from '../lib/session.ts';
import { Icon } from '../ui/art/icon.tsx';
import { ButtonLink } from '../ui/controls/button.tsx';
import { Screen } from '../ui/pages/screen.tsx';
import { EmptyState, SignedOutState } from '../ui/pages/states.tsx';
import { planned } from './planned.ts';
import { routeOf } from './routes.ts';

/** One sentence for each screen that a later issue will build. */
export default function PlannedScreen() {
  const { t, i18n } = useLingui();
  const user = useUser();
  const { pathname: path } = useLocation();
  const route = routeOf(path);
  const plan = planned[typeof route?.screen === 'string' ? route.screen : ''];
  if (!plan) return null;
  const { icon, title, text, lead } = plan;
  const name = i18n._(title);
  return (
    <Screen title={name} heading={null} back={route?.tab ? 'menu' : '/tabs/menu/account'} width="narrow">
      <div className="center-page">
        {user ? (
          <EmptyState
            level="h1"
            art="planned"
            title={name}
            actions={
              <ButtonLink kind="go" full to={lead.to}>
                {i18n._(lead.label)}
              </ButtonLink>
            }
          >
            <p>{i18n._(text)}</p>
            <p className="badge mt4">
              <Icon name={icon} />
              {t`Not available yet`}
            </p>
          </EmptyState>
        ) : (
          <SignedOutState level="h1" title={name} next={path}>
            <p>{i18n._(text)}</p>
            <p className="mt2">{t`Log in to use it when it opens.`}</p>
          </SignedOutState>
        )}
      </div>
    </Screen>
  );
}
