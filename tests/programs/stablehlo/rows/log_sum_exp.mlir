// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 6.28683138 5.29958105 6.41808033 6.51260138 5.9533143 6.00303555 6.23485041 6.02368116 4.94576788 5.48252392 6.30759907 6.40491295 5.74809647 6.55035543 5.25811291 5.04566479 6.57039499 6.46729946 5.3832922 5.42032576 6.26191616 6.27044582 5.87272978 6.16448402 5.95814133 6.16480255 6.20573139 6.30706263 6.22672653 5.82630062 5.52750397 6.26838017 5.8739686 6.44306803 6.24906731 6.41567707 6.17698574 6.1297555 5.94260836 5.26764584
// cost: 14 instructions, 1080789 ticks
module {
  func.func public @main(%arg0: tensor<40x30xf32>) -> (tensor<40xf32>) {
    %cst = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x30xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<40x30xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<40xf32>
    %5 = stablehlo.is_finite %4 : (tensor<40xf32>) -> tensor<40xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %7 = stablehlo.select %5, %4, %6 : tensor<40xi1>, tensor<40xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x30xf32>
    %10 = stablehlo.subtract %1, %9 : tensor<40x30xf32>
    %11 = stablehlo.exponential %10 : tensor<40x30xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<40x30xf32>, tensor<f32>) -> tensor<40xf32>
    %13 = stablehlo.sign %12 : tensor<40xf32>
    %14 = stablehlo.abs %12 : tensor<40xf32>
    %15 = stablehlo.log %14 : tensor<40xf32>
    %16 = stablehlo.add %15, %7 : tensor<40xf32>
    return %16 : tensor<40xf32>
  }
}
