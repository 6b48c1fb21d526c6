// Operations that move elements.
#include "ad/samples.hpp"

namespace tenferro::ad {

namespace {

using X = Operands;

Row transposing() {
    return {OpId::Transpose,
            {{{{{}}}, [](X x) { return transpose(x[0], {}); }},
             {{{{2, 3}}},
              [](X x) {
                  return transpose(x[0], {1, 0});
              },
              {{3, 1}}},
             {{{{2, 3, 4}}},
              [](X x) {
                  return transpose(x[0], {2, 0, 1});
              },
              {{1, 0, 2}}}}};
}

Row reshaping() {
    return {OpId::Reshape,
            {{{{{}}},
              [](X x) {
                  return reshape(x[0], {1, 1});
              }},
             {{{{1}}}, [](X x) { return reshape(x[0], {}); }},
             {{{{2, 3}}},
              [](X x) {
                  return reshape(x[0], {3, 2});
              }},
             {{{{2, 3, 4}}},
              [](X x) {
                  return reshape(x[0], {x[0].extent(0) * x[0].extent(1), x[0].extent(2)});
              },
              {{3, 1, 2}}},
             {{{{0, 3}}},
              [](X x) {
                  return reshape(x[0], {3, x[0].extent(0)});
              },
              {{2, 3}}}}};
}

Row broadcasting() {
    return {
        OpId::BroadcastInDim,
        {{{{{}}},
          [](X x) {
              return broadcast_in_dim(x[0], {2, 3}, {});
          }},
         {{{{3}}},
          [](X x) {
              return broadcast_in_dim(x[0], {2, x[0].extent(0)}, {1});
          },
          {{2}}},
         {{{{3, 1}}},
          [](X x) {
              return broadcast_in_dim(x[0], {x[0].extent(0), 4}, {0, 1});
          },
          {{0, 1}}},
         {{{{1, 3}}},
          [](X x) {
              return broadcast_in_dim(x[0], {x[0].extent(1), 2, 4}, {2, 0});
          },
          {{1, 2}}},
         {{{{2, 1, 3}}},
          [](X x) {
              return broadcast_in_dim(x[0], {3, 5, 2, 1}, {2, 3, 0});
          }},
         {{{{1}}},
          [](X x) {
              return broadcast_in_dim(x[0], {0, 3}, {0});
          }},
         {{{{1}}, {{4}}}, [](X x) { return broadcast_in_dim(x[0], shape_of(x[1]), {0}) * x[1]; }, {{1}, {0}}},
         {{{{3}}, {{2, 3}}},
          [](X x) { return broadcast_in_dim(x[0], shape_of(x[1]), {1}) * x[1]; },
          {{2}, {1, 2}}}}};
}

Row extracting_diagonals() {
    return {OpId::ExtractDiagonal,
            {{{{{3, 3}}}, [](X x) { return extract_diagonal(x[0], 0, 1); }, {{0, 0}}},
             {{{{2, 4, 2}}}, [](X x) { return extract_diagonal(x[0], 2, 0); }, {{3, 1, 3}}},
             {{{{2, 4, 2}}}, [](X x) { return extract_diagonal(x[0], 0, 2); }}}};
}

Row slicing() {
    return {OpId::Slice,
            {{{{{}}}, [](X x) { return slice(x[0], {}, {}, {}); }},
             {{{{5}}}, [](X x) { return slice(x[0], {1}, {4}, {1}); }, {{7}}},
             {{{{5, 3}}},
              [](X x) {
                  return slice(x[0], {2, 0}, {x[0].extent(0), 2}, {1, 1});
              },
              {{2, 4}}},
             {{{{5}}}, [](X x) { return slice(x[0], {2}, {2}, {1}); }, {{2}}},
             {{{{7}}}, [](X x) { return slice(x[0], {1}, {7}, {2}); }, {{9}}},
             {{{{5}}}, [](X x) { return slice(x[0], {3}, {0}, {-1}); }, {{4}}},
             {{{{8}}}, [](X x) { return slice(x[0], {7}, {-1}, {-3}); }, {{9}}},
             {{{{4, 3}}},
              [](X x) {
                  return slice(x[0], {3, 0}, {-1, 3}, {-2, 1});
              },
              {{4, 3}}},
             {{{{8, 4}}},
              [](X x) {
                  return slice(x[0], {1, 0}, {7, 4}, {3, 2});
              }},
             {{{{6}}}, [](X x) { return slice(x[0], {1}, {x[0].extent(0)}, {4}); }, {}, false},
             {{{{5, 0}}}, [](X x) {
                  return slice(x[0], {1, 0}, {5, 0}, {9, 2});
              }}}};
}

Row padding() {
    return {OpId::Pad,
            {{{{{3}}, {{}}}, [](X x) { return pad(x[0], x[1], {1}, {2}, {0}); }, {{1}, {}}},
             {{{{2, 3}}, {{}}},
              [](X x) {
                  return pad(x[0], x[1], {0, 1}, {2, 0}, {0, 0});
              },
              {{0, 1}, {}}},
             {{{{5}}, {{}}}, [](X x) { return pad(x[0], x[1], {-1}, {-2}, {0}); }, {{4}, {}}},
             {{{{4}}, {{}}}, [](X x) { return pad(x[0], x[1], {-3}, {2}, {0}); }},
             {{{{2}}, {{}}}, [](X x) { return pad(x[0], x[1], {-3}, {5}, {0}); }},
             {{{{2}}, {{}}}, [](X x) { return pad(x[0], x[1], {5}, {-4}, {0}); }},
             {{{{3, 2}}, {{}}},
              [](X x) {
                  return pad(x[0], x[1], {1, 0}, {0, 1}, {2, 1});
              },
              {},
              false},
             {{{{3}}, {{}}}, [](X x) { return pad(x[0], x[1], {-2}, {-1}, {2}); }, {}, false},
             {{{{4}}, {{}}}, [](X x) { return pad(x[0], x[1], {-1}, {3}, {1}); }, {}, false},
             {{{{1}}, {{}}}, [](X x) { return pad(x[0], x[1], {1}, {1}, {3}); }},
             {{{{0}}, {{}}}, [](X x) { return pad(x[0], x[1], {1}, {1}, {2}); }, {}, false},
             {{{{}}, {{}}}, [](X x) { return pad(x[0], x[1], {}, {}, {}); }}}};
}

Row concatenating() {
    return {OpId::Concatenate,
            {{{{{3}}}, [](X x) { return concatenate({x[0]}, 0); }},
             {{{{3}}, {{2}}},
              [](X x) {
                  return concatenate({x[0], x[1]}, 0);
              },
              {{0}, {1}}},
             {{{{2, 3}}, {{2, 0}}, {{2, 2}}},
              [](X x) {
                  return concatenate({x[0], x[1], x[2]}, 1);
              },
              {{1, 1}, {1, 2}, {1, 0}}},
             {{{{2, 3}}},
              [](X x) {
                  return concatenate({x[0], x[0] * x[0], x[0]}, 0);
              },
              {{0, 3}}}}};
}

}  // namespace

const std::vector<Row>& structural_rows() {
    static const std::vector<Row> rows{
        transposing(), reshaping(), broadcasting(),  extracting_diagonals(),
        slicing(),     padding(),   concatenating(),
    };
    return rows;
}

}  // namespace tenferro::ad
