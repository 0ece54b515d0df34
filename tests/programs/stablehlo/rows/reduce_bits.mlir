// in: draw 1 0 1 2147483648
// out: 4096 524288 2228224 0 256 0 67109120 4 262144 0 0 32 0 2
// out: 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647
// out: 267247984 326616791 63744535 1115377699 649505530 617061591 21254152 1741753720 1543140388 798924013 1662420718 1645964125 122121296 597254777
// cost: 58 instructions, 3108910 ticks
module {
  func.func public @main(%arg0: tensor<14x6xi32>) -> (tensor<14xi32>, tensor<6xi32>, tensor<14xi32>) {
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.and across dimensions = [1] : (tensor<14x6xi32>, tensor<i32>) -> tensor<14xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<14x6xi32>, tensor<i32>) -> tensor<6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.xor across dimensions = [1] : (tensor<14x6xi32>, tensor<i32>) -> tensor<14xi32>
    return %0, %1, %2 : tensor<14xi32>, tensor<6xi32>, tensor<14xi32>
  }
}
