import type { ComponentProps } from 'react';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void };

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
