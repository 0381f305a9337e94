import { type Language, languages } from '@nearhand/contract/languages';
import type { Macro } from '@nearhand/contract/trust/operators';
import { macroVariables, ticketLimits, unknownVariable } from '@nearhand/contract/trust/tickets.rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { englishLanguageName } from '../queue/case.labels.ts';

export const useMacros = (enabled = true) =>
  useQuery({ ...apiQuery.operators.macros.queryOptions(), enabled });

/** Answers that operators of every role share and edit. */
export function MacrosPage() {
  const query = useMacros();
  const [edited, setEdited] = useState<Macro | null>(null);
  return (
    <Page title="Answers" lead="Texts for answers to requests, in each reader's language.">
      <div className="c-two">
        <section className="card" aria-label="Shared answers">
          <QueryState
            query={query}
            loading={<RowsSkeleton />}
            errorTitle="We couldn't load the answers"
            isEmpty={(macros) => macros.length === 0}
            empty={
              <EmptyState title="No answers yet">
                <p>Write one for a question that comes often.</p>
              </EmptyState>
            }
          >
            {(macros) => (
              <ul className="c-words">
                {macros.map((macro) => (
                  <MacroRow
                    key={macro.id}
                    macro={macro}
                    onEdit={() => setEdited(macro)}
                    onChange={() => void query.refetch()}
                  />
                ))}
              </ul>
            )}
          </QueryState>
        </section>
        <MacroForm
          key={edited?.id ?? 'new'}
          macro={edited}
          onDone={() => {
            setEdited(null);
            void query.refetch();
          }}
        />
      </div>
    </Page>
  );
}

type RowProps = { macro: Macro; onEdit: () => void; onChange: () => void };

function MacroRow({ macro, onEdit, onChange }: RowProps) {
  const action = useAction();
  const writtenLanguages = languages.filter((language) => macro.texts[language]);
  const remove = async () => {
    if (await action.run(() => api.operators.removeMacro({ macroId: macro.id }))) onChange();
  };
  return (
    <li>
      <p className="row g2 wrap">
        <span className="strong grow break">{macro.name}</span>
        <Button kind="text" size="xs" onClick={onEdit}>
          Edit
        </Button>
        <Button kind="text" size="xs" busy={action.busy} onClick={() => void remove()}>
          Remove
        </Button>
      </p>
      <p className="sm pre-line break">{macro.texts.en}</p>
      <p className="xs mute">{writtenLanguages.map(englishLanguageName).join(', ')}</p>
      <Refused text={action.refusal} />
    </li>
  );
}

/** The problem of one text of an answer; undefined if it has none. */
function textProblem(language: Language, text: string): string | undefined {
  if (language === 'en' && text.trim() === '')
    return 'Write the English text: who reads another language gets it if theirs is missing.';
  const unknown = unknownVariable(text);
  if (unknown !== null) return `There is no {${unknown}}. Use ${variables}.`;
  return text.length > ticketLimits.bodyMax ? `Use ${ticketLimits.bodyMax} characters or fewer.` : undefined;
}

const variables = macroVariables.map((name) => `{${name}}`).join(', ');

function MacroForm({ macro, onDone }: { macro: Macro | null; onDone: () => void }) {
  const [name, setName] = useState(macro?.name ?? '');
  const [texts, setTexts] = useState<Partial<Record<Language, string>>>(macro?.texts ?? {});
  const [tried, setTried] = useState(false);
  const action = useAction();
  const textIn = (language: Language) => texts[language] ?? '';
  const problem = languages.some((language) => textProblem(language, textIn(language)));
  const save = async () => {
    setTried(true);
    if (name.trim() === '' || problem) return;
    const translated = languages.filter((language) => language !== 'en' && textIn(language).trim() !== '');
    const call = () =>
      api.operators.saveMacro({
        name: name.trim(),
        texts: {
          en: textIn('en').trim(),
          ...Object.fromEntries(translated.map((language) => [language, textIn(language).trim()])),
        },
      });
    if (!(await action.run(call))) return;
    showToast('Answer saved');
    setName('');
    setTexts({});
    setTried(false);
    onDone();
  };
  return (
    <Card as="section" label="Write an answer">
      <h2 className="h-s">{macro ? 'Edit the answer' : 'New answer'}</h2>
      <Form className="col g4 mt4" onSubmit={() => void save()}>
        <TextInput
          label="Name"
          help="Operators choose by it. One of the same name is replaced."
          maxLength={ticketLimits.macroNameMax}
          value={name}
          error={tried && name.trim() === '' ? 'Name the answer.' : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <p className="sm mute">{variables} are filled in with the person, their subject and you.</p>
        {languages.map((language) => (
          <TextArea
            key={language}
            label={englishLanguageName(language)}
            optional={language !== 'en'}
            rows={language === 'en' ? 5 : 3}
            dir="auto"
            maxLength={ticketLimits.bodyMax}
            length={textIn(language).length}
            value={textIn(language)}
            error={tried ? textProblem(language, textIn(language)) : undefined}
            onChange={(event) => setTexts((all) => ({ ...all, [language]: event.target.value }))}
          />
        ))}
        <Refused text={action.refusal} />
        <Button kind="go" full type="submit" busy={action.busy}>
          Save the answer
        </Button>
        {macro ? (
          <Button kind="quiet" full onClick={onDone}>
            Cancel
          </Button>
        ) : null}
      </Form>
    </Card>
  );
}
