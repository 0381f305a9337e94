import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { homePath } from '../lib/pages/next-path.ts';
import { landingPath } from '../lib/pages/post-login-redirect.ts';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { Form } from '../ui/controls/form.tsx';
import { TextInput } from '../ui/controls/inputs.tsx';
import { Screen } from '../ui/pages/screen.tsx';
import { EmptyState } from '../ui/pages/states.tsx';

export default function NotFound() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const search = () => {
    const q = words.trim();
    navigate(q ? `${homePath}?q=${encodeURIComponent(q)}` : homePath);
  };
  return (
    <Screen title={t`Page not found`} heading={null} back={homePath} width="narrow">
      <div className="center-page">
        <EmptyState
          level="h1"
          art="error"
          title={t`Page not found`}
          actions={
            <>
              <Form role="search" className="col g2" onSubmit={search}>
                <TextInput
                  label={t`Search jobs`}
                  type="search"
                  icon="magnifying-glass"
                  enterKeyHint="search"
                  autoComplete="off"
                  maxLength={limits.searchMax}
                  value={words}
                  onChange={(event) => setWords(event.target.value)}
                />
                <Button type="submit" kind="go" full>
                  {t`Search`}
                </Button>
              </Form>
              <ButtonLink kind="quiet" full to={landingPath()}>
                {t`Go home`}
              </ButtonLink>
            </>
          }
        >
          <p>{t`There's no page at this address. Check it for typos, or search for jobs near you.`}</p>
        </EmptyState>
      </div>
    </Screen>
  );
}
