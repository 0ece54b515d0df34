// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 17.2769651 13.1268745 -16.3591801 -5.65010889 40.6322435 0.136800571 -24.4326103 10.3977845 25.5349281 15.2091571 -17.6643442 -8.0811079 13.9975661 -20.0938539 -6.61286631 -5.00318193
// cost: 8 instructions, 711164 ticks
module {
  func.func public @main(%arg0: tensor<7x130xf32>, %arg1: tensor<130x40xf32>) -> (tensor<7x40xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7x130xf32>, tensor<130x40xf32>) -> tensor<7x40xf32>
    return %0 : tensor<7x40xf32>
  }
}
