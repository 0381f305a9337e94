import type { ComponentType } from 'react';

type FormProps = { applicationId: string; onDone: () => void; onClose: () => void };
const files = import.meta.glob<{ ProposeInterview: ComponentType<FormProps> }>(
  '../interviews/propose-interview.part.tsx',
);

export async function interviewForm(): Promise<{ default: ComponentType<FormProps> }> {
  const load = Object.values(files)[0];
  if (!load) throw new Error('The form of an interview is not part of this build');
  return { default: (await load()).ProposeInterview };
}
