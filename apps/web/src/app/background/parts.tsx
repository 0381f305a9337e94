import { type ComponentType, Suspense } from 'react';
import { Boundary } from '../boundary.tsx';

/** Renders components that show nothing. An error in one affects neither a screen nor the others. */
export function Parts({ components }: { components: readonly ComponentType[] }) {
  return components.map((Part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
    <Boundary silent key={index}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </Boundary>
  ));
}
