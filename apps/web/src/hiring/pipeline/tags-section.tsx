import { useLingui } from '@lingui/react/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { useId, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Chip } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';

const isSameTag = (a: string, b: string) => a.localeCompare(b, undefined, { sensitivity: 'accent' }) === 0;

type TagsProps = {
  tags: readonly string[];
  used: readonly string[];
  error: unknown;
  onSet: (tags: string[]) => void;
};

export function TagsSection({ tags, used, error, onSet: set }: TagsProps) {
  const { t } = useLingui();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const full = tags.length >= hiringLimits.tagsMax;
  const add = (text: string) => {
    const tag = text.trim();
    if (!tag || full || tag.length > hiringLimits.tagMax) return;
    if (!tags.some((used) => isSameTag(used, tag))) set([...tags, tag]);
    setTyped('');
  };
  const suggestions = used.filter((tag) => !tags.some((current) => isSameTag(current, tag)));
  return (
    <ReasonGroup>
      <section>
        <h3 className="h-s">{t`Tags`}</h3>
        <SharedReason />
        {tags.length > 0 ? (
          <ul className="tags mt2">
            {tags.map((tag) => (
              <li key={tag} className="badge tag-own">
                {tag}
                <IconButton
                  icon="x"
                  label={t`Remove ${tag}`}
                  needsNetwork
                  onClick={() => set(tags.filter((current) => current !== tag))}
                />
              </li>
            ))}
          </ul>
        ) : null}
        <Form className="row g2 tag-form mt2" onSubmit={() => add(typed)}>
          <div className="grow">
            <TextInput
              label={t`New tag`}
              list={listId}
              autoComplete="off"
              value={typed}
              disabled={full}
              error={
                error
                  ? errorText(error)
                  : typed.length > hiringLimits.tagMax
                    ? t`Use ${hiringLimits.tagMax} characters or fewer.`
                    : undefined
              }
              help={full ? t`You can add up to ${hiringLimits.tagsMax} tags.` : undefined}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
          <Button kind="quiet" type="submit" disabled={!typed.trim() || full} needsNetwork>
            {t`Add`}
          </Button>
        </Form>
        <datalist id={listId}>
          {suggestions.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        {suggestions.length > 0 && !full ? (
          <div className="chips wrapd mt2">
            {suggestions.slice(0, 4).map((tag) => (
              <Chip key={tag} icon="plus" needsNetwork onClick={() => add(tag)}>
                {tag}
              </Chip>
            ))}
          </div>
        ) : null}
      </section>
    </ReasonGroup>
  );
}
