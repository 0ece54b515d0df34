// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 1.83202513 4.76026115e-06 1.71691723e-16 1.66081217e-13 1.23311731e-15 1.5703125 1.6796875 1.61318418 1.77734375 1.11328125 0 1.44140625 1.14453125 0 1.21484375 0
// cost: 10 instructions, 775050 ticks
module {
  func.func public @main(%arg0: tensor<9x30xf32>) -> (tensor<9x30xf32>) {
    %cst = stablehlo.constant dense<1.000000e+03> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x30xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<9x30xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<9x30xf32>, tensor<f32>) -> tensor<9xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<9xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<9xf32>) -> tensor<9x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<9x1xf32>) -> tensor<9x30xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<9x30xf32>
    %8 = stablehlo.exponential %7 : tensor<9x30xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<9x30xf32>, tensor<f32>) -> tensor<9xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<9xf32>) -> tensor<9x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<9x1xf32>) -> tensor<9x30xf32>
    %12 = stablehlo.divide %8, %11 : tensor<9x30xf32>
    return %12 : tensor<9x30xf32>
  }
}
