import type { Engagement } from '@nearhand/contract/work/engagements';
import type { ReactNode } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { joined } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { workDate } from '../engagements/engagement.labels.ts';

export function WorkerHead({
  work: { worker, terms },
  name,
  level: Heading,
  small,
  end,
  children,
}: {
  work: Engagement;
  name: string;
  level: 'h1' | 'h2';
  small?: boolean;
  end?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className="row top wrap worker-at-head">
      <Avatar name={name} src={fileUrl(worker.photoPath)} size="l" />
      <div className="grow">
        <Heading className={`${small ? 'h-m' : 'h-l'} break`}>
          <bdi>{name}</bdi>
        </Heading>
        <p className={small ? 'sm mute' : 'mute'}>{joined(terms.title, workDate(terms, useNow()))}</p>
        {children}
      </div>
      {end}
    </header>
  );
}
