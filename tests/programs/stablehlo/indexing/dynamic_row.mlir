// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 133
// out: 1.34529114 0.245217323 1.23066998 1.3102541 0.2952528 1.84302711 1.96890259 0.136519432 1.10968208 0.187801361 0.222373009 1.14609718 0.0153455734 1.30107975 0.571601868 1.30686569 0.191069603 0.777345657 0.769698143 0.349565506 1.51236057 0.519855499 0.0513219833 1.50321102 1.77147961 1.047616 1.19510174 0.541871071 1.79230881 1.22295189
// cost: 25 instructions, 1814245 ticks
module {
  func.func public @main(%arg0: tensor<140x30xf32>, %arg1: tensor<i32>) -> (tensor<30xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<140> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %c_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<30> : tensor<i32>
    %4 = stablehlo.add %c_3, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.select %3, %4, %c_5 : tensor<i1>, tensor<i32>
    %6 = stablehlo.dynamic_slice %arg0, %2, %5, sizes = [1, 30] : (tensor<140x30xf32>, tensor<i32>, tensor<i32>) -> tensor<1x30xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x30xf32>) -> tensor<30xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30xf32>
    %9 = stablehlo.add %7, %8 : tensor<30xf32>
    return %9 : tensor<30xf32>
  }
}
