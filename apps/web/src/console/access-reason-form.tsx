import { operatorReasonMax, operatorReasonMin } from '@nearhand/contract/operator-context';
import { useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { Form } from '../ui/controls/form.tsx';
import { TextInput } from '../ui/controls/inputs.tsx';

type AccessReasonFormProps = {
  label: string;
  help: string;
  action: string;
  onReason: (reason: string) => void;
};

/** Asks an operator for the reason for viewing someone's data; the reason is logged. */
export function AccessReasonForm({ label, help, action, onReason }: AccessReasonFormProps) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const { length } = text.trim();
  const problem =
    length < operatorReasonMin || length > operatorReasonMax
      ? `Write ${operatorReasonMin} to ${operatorReasonMax} characters.`
      : undefined;
  return (
    <Form
      onSubmit={() => {
        setTried(true);
        if (!problem) onReason(text.trim());
      }}
    >
      <TextInput
        label={label}
        help={help}
        maxLength={operatorReasonMax}
        value={text}
        error={tried ? problem : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button kind="out" type="submit">
        {action}
      </Button>
    </Form>
  );
}
