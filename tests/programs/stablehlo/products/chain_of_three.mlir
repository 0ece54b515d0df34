// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 9.52891023 28.5264479 -55.8965949 11.932024 -5.79974199 65.9278866 -89.6747093 -13.3542517 -35.8798867 101.132176 -11.6374873 -51.0357111 53.0169882 -31.8422135 -17.4792237 -31.5318462
// cost: 12 instructions, 778377 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>, %arg1: tensor<30x140xf32>, %arg2: tensor<140x10xf32>) -> (tensor<20x10xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x30xf32>, tensor<30x140xf32>) -> tensor<20x140xf32>
    %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x140xf32>, tensor<140x10xf32>) -> tensor<20x10xf32>
    return %1 : tensor<20x10xf32>
  }
}
