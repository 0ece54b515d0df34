// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 12.1822033 12.3430933 11.5795257 12.5441506 11.562381 12.9389962 15.8879528 12.6268036 13.2252251 16.1967371 12.586707 14.0305203 15.6085089 14.5341521 9.42026435 13.4411614
// cost: 17 instructions, 926745 ticks
module {
  func.func public @main(%arg0: tensor<140x40xf32>, %arg1: tensor<40x33xf32>) -> (tensor<140x33xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<140x40xf32>, tensor<40x33xf32>) -> tensor<140x33xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<140x33xf32>, tensor<f32>) -> tensor<140xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<140xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<140xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<140xf32>) -> tensor<140x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<140x1xf32>) -> tensor<140x33xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<140x33xf32>
    %7 = stablehlo.exponential %6 : tensor<140x33xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<140x33xf32>, tensor<f32>) -> tensor<140xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<140xf32>) -> tensor<140x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<140x1xf32>) -> tensor<140x33xf32>
    %11 = stablehlo.divide %7, %10 : tensor<140x33xf32>
    return %11 : tensor<140x33xf32>
  }
}
