import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button, EnterSubmits } from '../controls/button.tsx';
import { Form } from '../controls/form.tsx';
import { Screen } from './screen.tsx';

type EditScreenProps = {
  title: string;
  heading: string;
  back: string;
  save: { dirty: boolean; busy: boolean; run: () => void } | null;
  top?: ReactNode;
  before: ReactNode;
  after?: ReactNode;
  children: ReactNode;
};

export function EditScreen({ title, heading, back, save, top, before, after, children }: EditScreenProps) {
  const { t } = useLingui();
  return (
    <Screen
      title={title}
      heading={heading}
      back={back}
      width="wide"
      dock={
        save ? (
          <Button
            kind={save.dirty ? 'go' : 'quiet'}
            busy={save.busy}
            disabled={!save.dirty}
            onClick={save.run}
          >
            {save.dirty ? t`Save changes` : t`Nothing to save yet`}
          </Button>
        ) : undefined
      }
    >
      {top}
      <div className="desk two-cols parts">
        <div className="desk-before">{before}</div>
        <Form className="desk-main" onSubmit={() => save?.run()}>
          {children}
          <EnterSubmits />
        </Form>
        {after ? <div className="desk-after">{after}</div> : null}
      </div>
    </Screen>
  );
}
