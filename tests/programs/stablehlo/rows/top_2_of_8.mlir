// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.469748497 0.370323181 0.759757042 0.709600449 0.808592796 0.786046982 0.981182098 0.842384338 0.268321037 0.218456268 0.980489731 0.681869507
// out: 3 2 6 7 4 0 2 5 3 0 6 4
// cost: 11 instructions, 686687 ticks
module {
  func.func public @main(%arg0: tensor<6x8xf32>) -> (tensor<6x2xf32>, tensor<6x2xi32>) {
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<6x8xf32> -> (tensor<6x2xf32>, tensor<6x2xi32>)
    return %values, %indices : tensor<6x2xf32>, tensor<6x2xi32>
  }
}
