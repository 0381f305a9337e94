import { peopleLimits } from '@nearhand/contract/people/limits';
import type { ComponentProps } from 'react';
import { TextInput } from './inputs.tsx';

type CodeInputProps = Omit<ComponentProps<typeof TextInput>, 'onChange'> & {
  recovery: boolean;
  onChange: (code: string) => void;
};

/** The code of a second step; another kind of code gets a new, empty field. */
export function CodeInput({ recovery, onChange, ...field }: CodeInputProps) {
  return (
    <TextInput
      key={recovery ? 'recovery' : 'code'}
      inputMode={recovery ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={peopleLimits.signInCodeMax}
      onChange={(event) => onChange(event.target.value)}
      {...field}
    />
  );
}
