import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

/** Wraps skeletons: delays showing them, and announces loading once. */
export function Loading({ children, label }: { children: ReactNode; label?: string }) {
  const { t } = useLingui();
  return (
    <div className="loading" role="status" aria-label={label ?? t`Loading`}>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

export function SkeletonBar({
  width = 100,
  tall,
}: {
  width?: 20 | 30 | 40 | 50 | 60 | 70 | 80 | 100;
  tall?: boolean;
}) {
  return <span className={`sk w${width}${tall ? ' tall' : ''}`} />;
}

function JobCardSkeleton() {
  return (
    <div className="job">
      <div className="row top">
        <div className="grow sk-lines">
          <SkeletonBar width={30} tall />
          <SkeletonBar width={60} />
          <SkeletonBar width={40} />
        </div>
        <span className="sk sk-sign" />
      </div>
      <div className="foot">
        <SkeletonBar width={70} />
      </div>
    </div>
  );
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

export function JobListSkeleton({ count = 4 }: { count?: number }) {
  return (
    <Loading>
      <div className="col">
        {times(count).map((index) => (
          <JobCardSkeleton key={index} />
        ))}
      </div>
    </Loading>
  );
}

export function RowsSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Loading>
      {times(count).map((index) => (
        <div className="li" key={index}>
          <span className="sk sk-round" />
          <span className="grow sk-lines">
            <SkeletonBar width={60} />
            <SkeletonBar width={40} />
          </span>
        </div>
      ))}
    </Loading>
  );
}

export function PageSkeleton() {
  return (
    <Loading>
      <div className="sk-lines roomy">
        <SkeletonBar width={60} tall />
        <SkeletonBar />
        <SkeletonBar width={80} />
        <SkeletonBar width={70} />
        <span className="sk sk-block" />
        <SkeletonBar />
        <SkeletonBar width={50} />
      </div>
    </Loading>
  );
}
