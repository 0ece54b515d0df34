// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 13.0677071 10.0151876 19.2585692 14.8733737 12.6167838 13.7699275 15.5287306 12.3386015 12.1868518 13.2927943 12.6450534 11.6476817 14.5600992 15.6255241 8.85161946 12.2118812
// out: hash 50a4b907cef9cbfc
// cost: 42 instructions, 1795426 ticks
module {
  func.func public @main(%arg0: tensor<140x8xf32>) -> (tensor<140x2xf32>, tensor<140x2xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<140x8xf32> -> (tensor<140x2xf32>, tensor<140x2xi32>)
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%values init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<140x2xf32>, tensor<f32>) -> tensor<140xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<140xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<140xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<140xf32>) -> tensor<140x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<140x1xf32>) -> tensor<140x2xf32>
    %5 = stablehlo.subtract %values, %4 : tensor<140x2xf32>
    %6 = stablehlo.exponential %5 : tensor<140x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<140x2xf32>, tensor<f32>) -> tensor<140xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<140xf32>) -> tensor<140x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<140x1xf32>) -> tensor<140x2xf32>
    %10 = stablehlo.divide %6, %9 : tensor<140x2xf32>
    return %10, %indices : tensor<140x2xf32>, tensor<140x2xi32>
  }
}
