// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 36.8154193 5.90094983 -48.5376782 21.750888 59.3985124 -21.651029 -10.0034221 17.9046912 -33.3049675 75.192996 -41.3540189 56.7210004 12.658218 -23.1606504 30.2530703 -33.9040263
// cost: 21 instructions, 957322 ticks
module {
  func.func public @main(%arg0: tensor<513x20xf32>, %arg1: tensor<20x9xf32>) -> (tensor<513x9xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<513x20xf32>, tensor<20x9xf32>) -> tensor<513x9xf32>
    return %0 : tensor<513x9xf32>
  }
}
