// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -97.6717369 -54.1131191 42.6413577 9.99314642 -41.8623444 -33.4296342 35.6755954 38.0269336 -94.4107715 0.348432206 -26.7141494 34.775415 38.0788941 -50.0484329 -41.9970081 -9.03140455
// cost: 5 instructions, 671951 ticks
module {
  func.func public @main(%arg0: tensor<40x70xf32>, %arg1: tensor<50x70xf32>) -> (tensor<40x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<40x70xf32>, tensor<50x70xf32>) -> tensor<40x50xf32>
    return %0 : tensor<40x50xf32>
  }
}
