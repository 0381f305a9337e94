import type { ReactNode } from 'react';

type FormProps = { id?: string; className?: string; onSubmit: () => void; children: ReactNode };

/** A form whose fields show their own errors: the browser neither validates nor submits it. */
export function Form({ className = 'col g4', onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
