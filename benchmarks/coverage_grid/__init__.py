"""Coverage of every interval and size of every test, over a grid of designs.

A *cell* is one result of the library in one design: a thousand samples or more are drawn,
and it is counted how often the interval covers the true value, or the test rejects a
hypothesis that is true. `designs` draws samples whose true values are known, `measures`
calls the library, `grid` lists the cells, `run` simulates them, `store` keeps them,
`verdict` holds them against the goal, and `page` shows them.
"""
